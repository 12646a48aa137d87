using Jackdaw.Documents.Callers;
using Jackdaw.Json.Refusals;
using Jackdaw.Security.Keys;
using Jackdaw.Security.Tokens;

namespace Jackdaw.Security.Tests.Tokens;

public sealed class MetricsTokensTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("jackdaw-tokens-").FullName;

    private SecurityFolder Folder => SecurityFolder.Open(_root);

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void Token_IsFoundByItsSecretAlsoAfterARestart()
    {
        MetricsToken made = Open().Create("prometheus", out string secret);
        MetricsTokens again = Open();

        Assert.StartsWith(MetricsTokens.Beginning, secret, StringComparison.Ordinal);
        Assert.Equal(made, again.Find(secret));
        Assert.Equal(made, Assert.Single(again.All));
        Assert.Null(again.Find(secret.Remove(secret.Length - 1)));
        Assert.Null(again.Find(MetricsTokens.Beginning));
        Assert.Null(again.Find(made.Hash));
        Assert.Null(again.Find(""));
    }

    [Fact]
    public void File_HasNoSecret()
    {
        Open().Create("prometheus", out string secret);

        Assert.DoesNotContain(secret[MetricsTokens.Beginning.Length..], File.ReadAllText(Folder.MetricsTokens), StringComparison.Ordinal);
    }

    [Fact]
    public void Token_ThatWasRevoked_OpensNothingAtOnce()
    {
        MetricsTokens tokens = Open();
        MetricsToken token = tokens.Create("prometheus", out string secret);
        var caller = new TokenCaller(token, tokens);
        Assert.True(caller.May(Access.ValidUser, ""));
        Assert.False(caller.May(Access.Read, "db1"));
        Assert.True(caller.MayKnowOf("db1"));

        Assert.Equal(token, tokens.Revoke(token.Id));
        Assert.Null(tokens.Revoke(token.Id));
        Assert.Null(tokens.Find(secret));
        Assert.False(caller.May(Access.ValidUser, ""));
        Assert.Empty(Open().All);
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\nb")]
    public void Name_ThatCannotBe_IsRefused(string name) => Assert.Throws<RefusedException>(() => Open().Create(name, out _));

    [Fact]
    public void Name_TooLong_IsRefused() => Assert.Throws<RefusedException>(() => Open().Create(new string('n', MetricsTokens.NameLengthMax + 1), out _));

    [Fact]
    public void Tokens_BeyondTheLimit_AreRefused()
    {
        MetricsTokens tokens = Open();
        for (int i = 0; i < MetricsTokens.TokensMax; i++)
        {
            tokens.Create($"t{i}", out _);
        }

        Assert.Throws<RefusedException>(() => tokens.Create("one more", out _));
        Assert.Equal(MetricsTokens.TokensMax, tokens.All.Count);
    }

    [Theory]
    [InlineData("{")]
    [InlineData("{}")]
    [InlineData("[{}]")]
    [InlineData("[null]")]
    [InlineData("[{\"Id\":1}]")]
    public void Open_DamagedFile_SaysWhatToDo(string text)
    {
        ProtectedFiles.WriteAll(Folder.MetricsTokens, System.Text.Encoding.UTF8.GetBytes(text));

        KeyFileException damaged = Assert.Throws<KeyFileException>(Open);
        Assert.Contains(Folder.MetricsTokens, damaged.Message, StringComparison.Ordinal);
        Assert.Contains("jackdaw cert metrics-token create", damaged.Message, StringComparison.Ordinal);
    }

    private MetricsTokens Open() => MetricsTokens.Open(Folder, TimeProvider.System);
}
