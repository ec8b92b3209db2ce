"""Game records: built move by move, replayed without a random generator, verified; as text, JSON and protobuf."""
