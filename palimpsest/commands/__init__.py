"""The subcommands, grouped by what they are for. Each module registers its parsers and runs its commands."""
