"""What is measured, on the machine at hand; nothing here is a test."""
