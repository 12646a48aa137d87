namespace Jackdaw.Search.Vectors;

/// <summary>What is known of the graph of one field.</summary>
/// <param name="Dimensions">The numbers of each vector; 0 while there is none.</param>
/// <param name="Vectors">The different vectors that entries have.</param>
/// <param name="Levels">The levels of the graph.</param>
/// <param name="Recall">The measured recall, as in "recall@10 0.957 +- 0.008 at ef 112, from 256 samples", or why it has no number.</param>
public sealed record VectorFieldState(string Field, int Dimensions, long Vectors, int Levels, string Recall);
