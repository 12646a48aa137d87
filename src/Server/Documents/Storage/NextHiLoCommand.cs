using Jackdaw.Storage.Transactions;
using MergedCommand = Jackdaw.Storage.Merging.WriteCommand;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Gives a range of numbers to one client.</summary>
internal sealed class NextHiLoCommand(DocumentWriter writer, HiLoRequest request) : MergedCommand
{
    private readonly HiLoDocument _document = new(request.Tag);

    public long Low { get; private set; }

    public long High { get; private set; }

    protected override void Execute(WriteTransaction transaction)
    {
        DocumentTransaction documents = writer.For(transaction);
        Low = checked(Math.Max(_document.ReadMax(documents), request.LastMax) + 1);
        High = checked(Low + request.Size - 1);
        _document.WriteMax(documents, writer, High);
    }
}
