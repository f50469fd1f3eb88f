"""Looking after memories: taking one out whole, bringing it in again."""
