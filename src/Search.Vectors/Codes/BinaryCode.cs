namespace Jackdaw.Search.Vectors.Codes;

/// <summary>A vector whose numbers are 1 and -1, as bits: set bits are 1. In words of 64 bits, whose last one has zeros after the last dimension.</summary>
internal sealed unsafe class BinaryCode(int dimensions) : VectorCode(dimensions, BitRun.BytesOf(dimensions), BitRun.BytesOf(dimensions))
{
    public override bool IsExact => true;

    public override void Encode(float* vector, byte* code) => BitRun.Write(vector, Dimensions, code);

    public override void Decode(byte* code, float* vector)
    {
        for (int i = 0; i < Dimensions; i++)
        {
            vector[i] = ((code[i / 8] >> (i % 8)) & 1) == 1 ? 1 : -1;
        }
    }

    /// <summary>Each different bit takes 2 from the product of the vectors, which is the number of dimensions for equal ones.</summary>
    public override float Distance(byte* query, byte* code) => 2f * BitRun.CountDifferent(query, code, Size) / Dimensions;
}
