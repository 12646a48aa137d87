using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>Takes the next number of an identity; the first one is 1.</summary>
/// <param name="name">Such as <c>invoices</c>, with or without <c>|</c> at its end.</param>
public sealed class NextIdentityForOperation(string name) : DatabaseOperation<long>
{
    private readonly string _name = Identities.Check(name);

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Post,
        Path = $"identity/next?name={Uri.EscapeDataString(_name)}",
    };

    internal override long Read(JsonElement answer) => answer.Number("NewIdentityValue"u8)
        ?? throw new BadResponseException("The server gave no number of the identity.");
}

/// <summary>Sets an identity, so that its next number is one more.</summary>
/// <param name="name">Such as <c>invoices</c>, with or without <c>|</c> at its end.</param>
/// <param name="forceUpdate">Whether it may also be set to a smaller number.</param>
/// <remarks>The result is its number after the operation.</remarks>
public sealed class SeedIdentityForOperation(string name, long value, bool forceUpdate = false) : DatabaseOperation<long>
{
    private readonly string _name = Identities.Check(name);

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Post,
        Path = string.Create(
            CultureInfo.InvariantCulture, $"identity/seed?name={Uri.EscapeDataString(_name)}&value={value}&force={(forceUpdate ? "true" : "false")}"),
    };

    internal override long Read(JsonElement answer) => answer.Number("NewSeedValue"u8)
        ?? throw new BadResponseException("The server gave no number of the identity.");
}

/// <summary>The last numbers of identities, by their names with <c>|</c>.</summary>
public sealed class GetIdentitiesOperation(int start = 0, int pageSize = int.MaxValue) : DatabaseOperation<IReadOnlyDictionary<string, long>>
{
    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Get,
        Path = string.Create(CultureInfo.InvariantCulture, $"debug/identities?start={start}&pageSize={pageSize}"),
        IsRead = true,
    };

    internal override IReadOnlyDictionary<string, long> Read(JsonElement answer) =>
        answer.Members().ByName(AnswerJson.RequiredNumber, StringComparer.OrdinalIgnoreCase);
}

/// <summary>Names of identities.</summary>
internal static class Identities
{
    public static string Check(string name) =>
        !string.IsNullOrEmpty(name) && name != "|" ? name : throw new ArgumentException("An identity has a name, such as 'invoices'.", nameof(name));
}
