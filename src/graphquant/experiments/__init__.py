"""The paper, reproduced: one module for each table or figure."""
