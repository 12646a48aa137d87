using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Reading;

/// <summary>A database whose documents can be read.</summary>
public interface IReadableDatabase : INamedDatabase
{
    /// <summary>What its documents can have besides their text.</summary>
    internal DocumentExtensions Extensions { get; }

    /// <summary>Begins a snapshot; the caller disposes it soon.</summary>
    /// <exception cref="ObjectDisposedException">The database was closed meanwhile.</exception>
    /// <param name="kind">What it is for; shows in statistics.</param>
    DocumentReadScope BeginRead(ReaderKind kind = ReaderKind.Other);
}
