"""RulesService: the stateless rules API."""
