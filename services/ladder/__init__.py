"""LadderService: bots, ladders, schedules, leases, results, ratings."""
