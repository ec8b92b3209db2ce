"""What all games stand on: State, Moves, random numbers, rollout and perft, counters. No I/O, no protobuf."""
