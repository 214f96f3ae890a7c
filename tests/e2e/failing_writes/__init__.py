"""The writes of both webs, each with the form that sends it, for test_failing_writes."""
