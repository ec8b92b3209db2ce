"""What all services share: settings, server builder, errors, metrics."""
