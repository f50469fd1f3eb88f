"""The graph in Neo4j, beside the ledger in Postgres. Reads and writes are bound to one memory by construction."""

from resources.neo4j.graph import Neo4jGraph
from resources.neo4j.graphs import Neo4jGraphs

__all__ = ["Neo4jGraph", "Neo4jGraphs"]
