namespace Jackdaw.Server.SampleShop;

/// <summary>Numbers that look random and are the same on every machine and with every version of .NET (splitmix64).</summary>
/// <param name="seed">Each kind of document has a seed of its own, so that one more supplier changes no order.</param>
internal sealed class ShopRandom(ulong seed)
{
    private ulong _state = seed;

    /// <summary>A whole number from the smallest to the largest.</summary>
    public int Between(int smallest, int largest) => smallest + (int)(Next() % (ulong)(largest - smallest + 1));

    /// <summary>True for this number of a hundred calls.</summary>
    public bool Happens(int percent) => Between(1, 100) <= percent;

    public T Of<T>(IReadOnlyList<T> choices) => choices[Between(0, choices.Count - 1)];

    private ulong Next()
    {
        _state += 0x9E3779B97F4A7C15;
        ulong mixed = (_state ^ (_state >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }
}
