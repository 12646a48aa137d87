using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Tests.Vectors;

/// <summary>A class with vectors of each kind.</summary>
public sealed class Picture
{
    public string? Id { get; set; }

    public string Title { get; set; } = "";

    public int Year { get; set; }

    public float[]? Plain { get; set; }

    public EmbeddingVector<float>? Vector { get; set; }

    public EmbeddingVector<sbyte>? Small { get; set; }

    public EmbeddingVector<byte>? Bits { get; set; }

    public EmbeddingVector<double>? Wide { get; set; }

    public EmbeddingVector<Half>? Halves { get; set; }

    public List<EmbeddingVector<float>> Many { get; set; } = [];

    public string? Text { get; set; }

    public List<Part> Parts { get; set; } = [];

    /// <summary>A part of a picture, with a vector of its own.</summary>
    public sealed class Part
    {
        public float[] Vector { get; set; } = [];

        public EmbeddingVector<byte>? Bits { get; set; }
    }
}
