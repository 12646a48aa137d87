using System.Collections;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.Client.Sessions;
using Jackdaw.TestServer;

namespace Jackdaw.Client.Tests.Documentation;

/// <summary>What an example of a page sees, and what it gave.</summary>
public sealed class ExampleRun : IAsyncDisposable
{
    private readonly Lock _lock = new(); // guards the values: handlers of an example run on threads of their own
    private readonly SortedDictionary<int, List<string>> _given = [];
    private readonly JackdawTestServer _server;

    private ExampleRun(JackdawTestServer server, DocumentStore store)
    {
        (_server, Store) = (server, store);
        Session = store.OpenAsyncSession();
    }

    /// <summary>A store of a database of the server.</summary>
    public DocumentStore Store { get; }

    /// <summary>A session of it.</summary>
    public IAsyncDocumentSession Session { get; }

    /// <summary>Makes what an example sees, over a server.</summary>
    public static async Task<ExampleRun> BeginAsync(JackdawTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        return new ExampleRun(server, await server.NewStoreAsync("shop"));
    }

    /// <summary>Connections to the server, for a store that the example makes.</summary>
    public HttpMessageHandler NewHandler() => _server.CreateHandler();

    /// <summary>Notes what a line has given.</summary>
    /// <returns>The value.</returns>
    public T Gives<T>(int line, T value)
    {
        Note(line, TextOf(value));
        return value;
    }

    /// <summary>Notes how a line ends.</summary>
    public async Task ThrowsAsync(int line, Func<Task> run)
    {
        ArgumentNullException.ThrowIfNull(run);
        try
        {
            await run();
            Note(line, "throws nothing");
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            Note(line, $"throws {error.GetType().Name}: {error.Message}");
        }
    }

    /// <summary>Ends the session and the store.</summary>
    public async ValueTask DisposeAsync()
    {
        await Session.DisposeAsync();
        await Store.DisposeAsync();
    }

    /// <summary>Where lines gave something else than they state; empty: nowhere.</summary>
    internal IReadOnlyList<string> Differences(IReadOnlyDictionary<int, string> expected)
    {
        lock (_lock)
        {
            return
            [
                .. from one in expected
                   let given = _given.TryGetValue(one.Key, out List<string>? values) ? string.Join(", ", values) : "nothing: it was not reached"
                   where !Fits(one.Value, given)
                   select $"line {one.Key} states '{one.Value}' and gives '{given}'",
            ];
        }
    }

    private static bool Fits(string stated, string given)
    {
        string pattern = Regex.Escape(stated).Replace(@"\.\.\.", ".*", StringComparison.Ordinal);
        if (stated.StartsWith("throws ", StringComparison.Ordinal) && !stated.Contains(':', StringComparison.Ordinal))
        {
            pattern += ": .*"; // the type alone
        }

        return Regex.IsMatch(given, $"^{pattern}$", RegexOptions.Singleline);
    }

    private static string TextOf(object? value) => value switch
    {
        null => "null",
        string text => text,
        bool truth => truth ? "true" : "false",
        JsonElement json => json.GetRawText(),
        ITuple tuple => $"({string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => TextOf(tuple[i])))})",
        IEnumerable sequence => $"[{string.Join(", ", sequence.Cast<object?>().Select(TextOf))}]",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "null",
    };

    private void Note(int line, string text)
    {
        lock (_lock)
        {
            if (!_given.TryGetValue(line, out List<string>? values))
            {
                _given.Add(line, values = []);
            }

            values.Add(text);
        }
    }
}
