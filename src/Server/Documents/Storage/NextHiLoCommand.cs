using Jackdaw.Storage.Transactions;
using MergedCommand = Jackdaw.Storage.Merging.WriteCommand;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Gives a range of numbers to one client.</summary>
internal sealed class NextHiLoCommand(DocumentWriter writer, HiLoRequest request) : MergedCommand
{
    private readonly HiLoDocument _document = new(request.Tag);

    public long Low { get; private set; }

    public long High { get; private set; }

    /// <summary>There are not so many numbers left; nothing was changed.</summary>
    public bool IsExhausted { get; private set; }

    protected override void Execute(WriteTransaction transaction)
    {
        DocumentTransaction documents = writer.For(transaction);
        long max = Math.Max(_document.ReadMax(documents), request.LastMax);
        IsExhausted = max > long.MaxValue - request.Size;
        if (IsExhausted)
        {
            return;
        }

        (Low, High) = (max + 1, max + request.Size);
        _document.WriteMax(documents, writer, High);
    }
}
