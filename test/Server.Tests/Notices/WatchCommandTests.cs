using System.Text;
using Jackdaw.Documents.Database;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server.Tests.Notices;

public sealed class WatchCommandTests
{
    private static readonly WatchKinds s_kinds = new(StandardExtensions.All);

    [Theory]
    [InlineData("", "not valid JSON")]
    [InlineData("nonsense", "not valid JSON")]
    [InlineData("{\"CommandId\":1", "not valid JSON")]
    [InlineData("[1]", "of the kind Array")]
    [InlineData("{}", "'CommandId'")]
    [InlineData("{\"CommandId\":\"1\",\"Command\":\"watch-docs\"}", "'CommandId'")]
    [InlineData("{\"CommandId\":1.5,\"Command\":\"watch-docs\"}", "'CommandId'")]
    [InlineData("{\"CommandId\":99999999999999999999,\"Command\":\"watch-docs\"}", "'CommandId'")]
    [InlineData("{\"CommandId\":1}", "'Command'")]
    [InlineData("{\"CommandId\":1,\"Command\":null}", "'Command'")]
    [InlineData("{\"CommandId\":1,\"Command\":\"docs\"}", "no command 'docs'; commands are watch- and unwatch- before one of: aggressive-caching, ")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-\"}", "no command 'watch-'")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-everything\"}", "no command 'watch-everything'")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-doc\"}", "'watch-doc' needs a text in Param")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-doc\",\"Param\":null}", "'watch-doc' needs a text in Param")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-doc\",\"Param\":\"\"}", "'watch-doc' needs a text in Param")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-doc\",\"Param\":7}", "'watch-doc' needs a text in Param")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-operation\",\"Param\":\"x\"}", "number of an operation")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-document-counter\",\"Param\":\"users/1\"}", "array of two texts in Params")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-document-counter\",\"Params\":[\"users/1\"]}", "array of two texts in Params")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-document-counter\",\"Params\":[\"users/1\",1]}", "Params[1]")]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-doc\",\"Param\":{\"a\":{\"b\":{\"c\":{\"d\":1}}}}}", "not valid JSON")]
    public void Read_BadMessage_SaysWhatAndWhatToSend(string message, string part)
    {
        var bad = Assert.Throws<WatchCommandException>(() => WatchCommand.Read(Encoding.UTF8.GetBytes(message), s_kinds));
        Assert.Contains(part, bad.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_NameThatIsTooLong_IsRefused()
    {
        string message = $$"""{"CommandId":1,"Command":"watch-doc","Param":"{{new string('ä', 257)}}"}""";
        var bad = Assert.Throws<WatchCommandException>(() => WatchCommand.Read(Encoding.UTF8.GetBytes(message), s_kinds));
        Assert.Contains("512 bytes", bad.Message, StringComparison.Ordinal);
        Assert.Equal(512, WatchCommand.Read(Encoding.UTF8.GetBytes(message.Replace("ä\"", "\"", StringComparison.Ordinal)), s_kinds).Key.Length);
    }

    [Theory]
    [InlineData("\"12\"")]
    [InlineData("12")]
    public void Read_NumberOfAnOperation_AsTextOrNumber(string param)
    {
        WatchCommand command = WatchCommand.Read(Encoding.UTF8.GetBytes($$"""{"CommandId":3,"Command":"Watch-Operation","Param":{{param}}}"""), s_kinds);
        Assert.Equal((3, true, WatchSubject.Operation, "12"), (command.Id, command.IsWatch, command.Subject, Encoding.UTF8.GetString(command.Key)));
    }
}
