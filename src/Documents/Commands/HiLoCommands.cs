using System.Diagnostics;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>Reserves a range of numbers for one client: <c>Low = max(stored, lastMax) + 1</c> to <c>High = Low + size -
/// 1</c>.</summary>
/// <param name="tag">The name of the range, which is stored as document <c>Raven/Hilo/{tag}</c>.</param>
/// <param name="size">The number of numbers, already computed from the client's use of the last range; 1 or more.</param>
/// <param name="lastMax">The largest number that the client knows to be used; the range begins above it.</param>
/// <exception cref="ArgumentException">The tag cannot be part of an id.</exception>
internal sealed class NextHiLoCommand(string tag, long size, long lastMax) : DocumentCommand
{
    private readonly HiLoDocument _document = new(tag);
    private bool _isExhausted;

    /// <summary>After it is applied, the first number of the range.</summary>
    public long Low { get; private set; }

    /// <summary>After it is applied, the last number of the range.</summary>
    public long High { get; private set; }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        Debug.Assert(size > 0);
        if (!_document.TryReadMax(documents, out long stored))
        {
            return WriteStatus.HiLoUnreadable;
        }

        long max = Math.Max(stored, lastMax);
        _isExhausted = max > long.MaxValue - size;
        if (_isExhausted)
        {
            return WriteStatus.NumbersExhausted;
        }

        (Low, High) = (max + 1, max + size);
        _document.WriteMax(documents, High);
        return WriteStatus.Applied;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) => !_isExhausted
        ? Unreadable(tag, database)
        : new(RefusalKind.InvalidOperation,
            $"The HiLo numbers of '{tag}' in database '{database.Name}' are used up: the largest is {long.MaxValue}. Nothing was written; use " +
                $"another tag, or send a smaller lastMax and correct 'Max' in document 'Raven/Hilo/{tag}'.");

    /// <summary>The refusal when the document of a tag has no number.</summary>
    public static Refusal Unreadable(string tag, INamedDatabase database) => new(
        RefusalKind.InvalidOperation,
        $"Document 'Raven/Hilo/{tag}' of database '{database.Name}' has no whole number 'Max', and without it numbers would be given out " +
            "twice. Nothing was written; store it again with a 'Max' not below the largest number in use.");
}

/// <summary>Returns the unused end of a range. It changes something only when the stored maximum is still <paramref name="end"/> and <paramref name="last"/> is
/// below it.</summary>
/// <exception cref="ArgumentException">The tag cannot be part of an id.</exception>
internal sealed class ReturnHiLoCommand(string tag, long end, long last) : DocumentCommand
{
    private readonly HiLoDocument _document = new(tag);

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        if (!_document.TryReadMax(documents, out long max))
        {
            return WriteStatus.HiLoUnreadable;
        }

        if (last < end && max == end)
        {
            _document.WriteMax(documents, last);
        }

        return WriteStatus.Applied;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) => NextHiLoCommand.Unreadable(tag, database);
}
