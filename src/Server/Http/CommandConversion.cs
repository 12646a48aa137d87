using System.Text;

using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Http;

/// <summary>Parsed commands to the commands of the store. The memory of bodies, ids and keys stays that of the
/// batch.</summary>
internal static class CommandConversion
{
    public static WriteCommand[] ToCommands(DocumentDatabase database, CommandBatch batch, int count)
    {
        var commands = new WriteCommand[count];
        for (int i = 0; i < count; i++)
        {
            commands[i] = ToCommand(database, batch[i]);
        }

        return commands;
    }

    private static WriteCommand ToCommand(DocumentDatabase database, in DocumentCommand command)
    {
        ReadOnlyMemory<byte> id = command.Id;
        ReadOnlyMemory<byte> key = command.Key;
        if (command.Kind == DocumentCommandKind.Put && command.IdKind == DocumentIdKind.Generated)
        {
            id = key = DocumentKey.NewGuid();
        }

        return new WriteCommand
        {
            Kind = command.Kind == DocumentCommandKind.Put ? WriteCommandKind.Put
                : command.IsIdPrefix ? WriteCommandKind.DeletePrefix : WriteCommandKind.Delete,
            Id = id,
            Key = key,
            Expected = ToExpected(database, command),
            Body = command.Document.Bytes,
            MetadataOffset = command.Document.MetadataOffset,
            Collection = command.Document.Collection,
        };
    }

    private static ExpectedVersion ToExpected(DocumentDatabase database, in DocumentCommand command) => command.Check switch
    {
        ChangeVectorCheck.MustNotExist => ExpectedVersion.Missing,
        ChangeVectorCheck.MustEqual => DocumentAnswers.ToExpected(
            database, Encoding.UTF8.GetString(command.ChangeVector.Span)),
        _ => ExpectedVersion.Any,
    };
}
