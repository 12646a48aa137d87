using Jackdaw.Storage.Transactions;
using MergedCommand = Jackdaw.Storage.Merging.WriteCommand;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Takes the unused end of a range back, when nobody got a range after it.</summary>
internal sealed class ReturnHiLoCommand(DocumentWriter writer, string tag, long end, long last) : MergedCommand
{
    private readonly HiLoDocument _document = new(tag);

    protected override void Execute(WriteTransaction transaction)
    {
        DocumentTransaction documents = writer.For(transaction);
        if (last < end && _document.ReadMax(documents) == end)
        {
            _document.WriteMax(documents, writer, last);
        }
    }
}
