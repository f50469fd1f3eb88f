"""Documents as evidence: text, Markdown, HTML and PDF, cut into chunks that end where sentences do."""
