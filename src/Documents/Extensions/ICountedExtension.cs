using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Extensions;

/// <summary>An extension that statistics of a database count.</summary>
internal interface ICountedExtension
{
    /// <summary>Members of all statistics, with their values: <c>CountOfCounterEntries</c>.</summary>
    IEnumerable<(string Member, long Count)> Count(ReadTransaction read);

    /// <summary>Members that only detailed statistics have.</summary>
    IEnumerable<(string Member, long Count)> CountInDetail(ReadTransaction read) => [];
}
