"""RecordService: stores, verifies and streams game records."""
