"""The web page of the table: static files that the server reads at start; no code lives here."""
