"""From records to tables, figures and pages."""
