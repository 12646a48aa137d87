namespace Jackdaw.Search.Vectors.Codes;

/// <summary>How the vectors of one graph are compared in walks: each has a short code in memory. Immutable; any thread.</summary>
/// <param name="size">The bytes of a code.</param>
/// <param name="querySize">The bytes of a query that is compared with codes.</param>
internal abstract unsafe class VectorCode(int dimensions, int size, int querySize)
{
    public int Dimensions => dimensions;

    public int Size => size;

    public int QuerySize => querySize;

    /// <summary>Whether the code of a vector is also its query.</summary>
    public bool IsQuery => querySize == size;

    /// <summary>Whether a code is all that there is of a vector, and can be decoded. Otherwise codes give a rough order, and the vectors the exact one.
    /// </summary>
    public virtual bool IsExact => false;

    /// <summary>The vectors that are compared for each hit, because codes give only a rough order.</summary>
    public virtual int ComparedPerHit => 2;

    /// <summary>The code of a vector.</summary>
    /// <param name="vector">As many numbers as there are dimensions: of length 1 if codes are rough.</param>
    /// <param name="code">Gets <see cref="Size"/> bytes.</param>
    public abstract void Encode(float* vector, byte* code);

    /// <summary>The query of a vector.</summary>
    /// <param name="query">Gets <see cref="QuerySize"/> bytes.</param>
    public virtual void EncodeQuery(float* vector, byte* query) => Encode(vector, query);

    /// <summary>The vector of an exact code.</summary>
    public virtual void Decode(byte* code, float* vector) => throw new NotSupportedException("Vectors cannot be read from rough codes.");

    /// <summary>1 minus the cosine of a query and a vector, as their codes have it.</summary>
    public abstract float Distance(byte* query, byte* code);

    /// <summary>1 minus the cosine of two vectors, as their codes have it.</summary>
    public virtual float DistanceBetween(byte* code, byte* other) => Distance(code, other);

    /// <summary>How far apart two distances must be for codes to tell them apart.</summary>
    /// <param name="code">A code or a query.</param>
    public virtual float Uncertainty(byte* code) => 0;
}
