"""Players that get what a person at that seat gets: a view and the legal plays."""
