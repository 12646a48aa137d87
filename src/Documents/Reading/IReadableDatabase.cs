using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Reading;

/// <summary>A database whose documents can be read.</summary>
public interface IReadableDatabase : INamedDatabase
{
    /// <summary>The kinds of things that its documents can have besides their text.</summary>
    internal DocumentExtensions Extensions { get; }

    /// <summary>Begins a snapshot, which the caller disposes soon.</summary>
    /// <exception cref="ObjectDisposedException">The database was closed in the meantime.</exception>
    /// <param name="kind">The kind of reader, which statistics show.</param>
    DocumentReadScope BeginRead(ReaderKind kind = ReaderKind.Other);
}
