"""Tests of what the table is run with: proxies, images, units, alerts, and what is said of them."""
