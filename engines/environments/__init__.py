"""The games as environments of two research libraries: PettingZoo (`pettingzoo_aec`) and OpenSpiel (`openspiel`)."""
