using System.Text.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Security.Keys;

namespace Jackdaw.Security.Tokens;

/// <summary>Bearer tokens that let a collector read /metrics and nothing else. Their hashes are in a file.</summary>
/// <remarks>A change is durable before it is published, and published before its call returns. Any thread reads without a lock.</remarks>
internal sealed class MetricsTokens
{
    /// <summary>How tokens begin, so that people and tools that look for leaked secrets recognize them.</summary>
    public const string Beginning = "jackdaw_metrics_";

    /// <summary>Tokens at once: each collector has one.</summary>
    public const int TokensMax = 100;

    /// <summary>Characters of a name.</summary>
    public const int NameLengthMax = 256;

    private const int SecretBytes = 32;
    private const int IdBytes = 6;

    private readonly string _path;
    private readonly TimeProvider _time;
    private readonly Lock _writing = new(); // one change at a time; guards nothing that readers see
    private volatile MetricsToken[] _all;

    private MetricsTokens(string path, MetricsToken[] all, TimeProvider time)
    {
        _path = path;
        _all = all;
        _time = time;
    }

    public IReadOnlyList<MetricsToken> All => _all;

    /// <exception cref="KeyFileException">The file is damaged.</exception>
    public static MetricsTokens Open(SecurityFolder folder, TimeProvider time)
    {
        string path = folder.MetricsTokens;
        try
        {
            MetricsToken[] all = ProtectedFiles.ReadAll(path) is { } text ? JsonSerializer.Deserialize<MetricsToken[]>(text) ?? [] : [];
            return Array.TrueForAll(all, token => token is { Id: not null, Name: not null, Hash: not null })
                ? new MetricsTokens(path, all, time)
                : throw new JsonException("a token has no id, name or hash");
        }
        catch (JsonException bad)
        {
            throw new KeyFileException(
                $"'{path}' is damaged ({bad.Message.TrimEnd('.')}). Remove it and make new tokens with: jackdaw cert metrics-token create", bad);
        }
    }

    /// <summary>Makes a token.</summary>
    /// <param name="secret">What the collector has to send. It cannot be shown again.</param>
    /// <exception cref="RefusedException">The name cannot be used, or there are too many.</exception>
    public MetricsToken Create(string name, out string secret)
    {
        if (name.Length is 0 or > NameLengthMax || name.Any(char.IsControl))
        {
            throw new RefusedException(
                RefusalKind.InvalidArgument,
                $"The name of a token has 1 to {NameLengthMax} characters and no control characters; give it another one.");
        }

        secret = Beginning + RandomSecret.Make(SecretBytes);
        var token = new MetricsToken(RandomSecret.Make(IdBytes), name, RandomSecret.Hash(secret), _time.GetUtcNow());
        lock (_writing)
        {
            if (_all.Length >= TokensMax)
            {
                throw new RefusedException(
                    RefusalKind.NotPossible, $"There are {TokensMax} tokens, the most that there can be; revoke those that nobody uses.");
            }

            Store([.. _all, token]);
        }

        return token;
    }

    /// <summary>Revokes a token, at once.</summary>
    /// <returns>Null when no token has the id.</returns>
    public MetricsToken? Revoke(string id)
    {
        lock (_writing)
        {
            MetricsToken? token = Array.Find(_all, one => one.Id == id);
            if (token is not null)
            {
                Store([.. _all.Where(one => one != token)]);
            }

            return token;
        }
    }

    /// <summary>Finds the token that a request sends; null when the server does not know it.</summary>
    public MetricsToken? Find(ReadOnlySpan<char> secret)
    {
        MetricsToken[] all = _all;
        if (all.Length == 0 || !secret.StartsWith(Beginning, StringComparison.Ordinal))
        {
            return null;
        }

        string hash = RandomSecret.Hash(secret);
        return Array.Find(all, token => token.Hash == hash);
    }

    private void Store(MetricsToken[] all)
    {
        ProtectedFiles.WriteAll(_path, JsonSerializer.SerializeToUtf8Bytes(all));
        _all = all;
    }
}

/// <summary>One token, without its secret.</summary>
/// <param name="Id">Names it when it is revoked.</param>
/// <param name="Hash">SHA-256 of the secret, in hexadecimal digits.</param>
internal sealed record MetricsToken(string Id, string Name, string Hash, DateTimeOffset Created);
