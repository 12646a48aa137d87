using Jackdaw.Documents.Database;

namespace Jackdaw.Documents.Databases;

/// <summary>Server-wide texts, such as the code of analyzers that all databases can use.</summary>
public sealed partial class DatabaseCatalog
{
    /// <summary>The texts, as databases read them.</summary>
    internal IServerTexts Texts => new ServerTexts(_system);

    /// <summary>Stores texts of one kind, or replaces those with the same names.</summary>
    internal async Task PutTextsAsync(string kind, IReadOnlyList<(string Name, byte[] Text)> texts, CancellationToken cancellationToken)
    {
        using ChangeGates.Holder gate = await _gates.EnterAsync(ServerGate, cancellationToken).ConfigureAwait(false);
        await WriteAsync(() =>
        {
            _system.PutTexts(kind, texts);
            return null;
        }).ConfigureAwait(false);
    }

    /// <summary>Deletes a text. Returns false if there is none with this name.</summary>
    internal async Task<bool> DeleteTextAsync(string kind, string name, CancellationToken cancellationToken)
    {
        using ChangeGates.Holder gate = await _gates.EnterAsync(ServerGate, cancellationToken).ConfigureAwait(false);
        if (_system.FindText(kind, name) is null)
        {
            return false;
        }

        await WriteAsync(() =>
        {
            _system.RemoveText(kind, name);
            return null;
        }).ConfigureAwait(false);
        return true;
    }

    private sealed class ServerTexts(SystemStorage system) : IServerTexts
    {
        public byte[]? Find(string kind, string name) => system.FindText(kind, name);

        public IReadOnlyList<byte[]> List(string kind) => system.ListTexts(kind);
    }
}
