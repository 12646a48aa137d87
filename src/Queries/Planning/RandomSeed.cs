using System.IO.Hashing;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;

namespace Jackdaw.Queries.Planning;

/// <summary>The seed of a random order.</summary>
/// <param name="Value">Null: each run has another one.</param>
internal sealed record RandomSeed(int? Value)
{
    /// <summary>The seed of <c>random('seed')</c>, or of <c>random()</c>.</summary>
    public static RandomSeed Of(MethodExpression random, ParameterValues parameters)
    {
        if (random.Arguments.Count == 0)
        {
            return new RandomSeed(Value: null);
        }

        string seed = parameters.Resolve(random.Arguments[0].Value).Text;
        return new RandomSeed(unchecked((int)XxHash32.HashToUInt32(MemoryMarshal.AsBytes(seed.AsSpan()))));
    }

    /// <summary>The seed of one run.</summary>
    public int ForRun() => Value ?? RandomNumberGenerator.GetInt32(int.MaxValue);
}
