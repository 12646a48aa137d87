using System.Collections;
using System.Text.RegularExpressions;
using Jackdaw.Pal;
using Jackdaw.Server.Configuration;

namespace Jackdaw.Server.Tests.Configuration;

public sealed class ConfigurationLoaderTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-configuration").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Load_Nothing_GivesTheDefaults()
    {
        ServerOptions options = Load().Options!;

        Assert.Equal("http://127.0.0.1:8080", options.ServerUrl.ToString());
        Assert.Equal(Path.Combine(_folder, "data"), options.DataDir);
        Assert.False(options.RunInMemory);
        Assert.Null(options.WriteMode);
        Assert.Equal("A", options.NodeTag.Text);
    }

    [Fact]
    public void Load_NodeTag_IsTaken() =>
        Assert.Equal("BC", Load(new Hashtable { ["JACKDAW_NODE_TAG"] = "BC" }).Options!.NodeTag.Text);

    [Fact]
    public void Load_StandardVariableOfTheCollector_IsTakenUnlessOursIsSet()
    {
        var environment = new Hashtable { ["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://standard:4317" };
        Assert.Equal(new Uri("http://standard:4317"), Load(environment).Options!.OtlpEndpoint);

        environment["JACKDAW_TELEMETRY_OTLPENDPOINT"] = "http://ours:4317";
        Assert.Equal(new Uri("http://ours:4317"), Load(environment).Options!.OtlpEndpoint);

        string? error = Load(new Hashtable { ["OTEL_EXPORTER_OTLP_ENDPOINT"] = "collector" }).Error;
        Assert.Contains("(environment OTEL_EXPORTER_OTLP_ENDPOINT)", error, StringComparison.Ordinal);
        Assert.Null(Load(new Hashtable { ["OTEL_EXPORTER_OTLP_ENDPOINT"] = "" }).Options!.OtlpEndpoint);
    }

    [Fact]
    public void Load_Settings_AreKeptWithTheirSourcesAndWithoutSecrets()
    {
        File.WriteAllText(Path.Combine(_folder, "settings.json"), """{"Log":{"Level":"Debug"},"NodeTag":"B"}""");
        var environment = new Hashtable { ["JACKDAW_NODE_TAG"] = " BC ", ["JACKDAW_SECURITY_CERTIFICATE_PASSWORD"] = "secret" };
        IReadOnlyList<SettingInForce> settings = Load(environment, "--RunInMemory").Options!.Settings;
        Assert.Equal(ConfigurationKeys.All.Select(key => key.Name), settings.Select(setting => setting.Name));
        Assert.Equal(("Debug", "settings.json"), Find("Log.Level"));
        Assert.Equal(("BC", "environment JACKDAW_NODE_TAG"), Find("NodeTag"));
        Assert.Equal(("true", "command line"), Find("RunInMemory"));
        Assert.Equal(("http://127.0.0.1:8080", "default"), Find("ServerUrl"));
        Assert.Equal((null, "environment JACKDAW_SECURITY_CERTIFICATE_PASSWORD"), Find("Security.Certificate.Password"));
        Assert.DoesNotContain(settings, setting => setting.ToString().Contains("secret", StringComparison.Ordinal));
        foreach (string address in (string[])["http://user:secret@collector:4317", "http://collector:4317/?key=secret"])
        {
            var otlp = new Hashtable { ["JACKDAW_TELEMETRY_OTLPENDPOINT"] = address };
            Assert.DoesNotContain(Load(otlp).Options!.Settings, setting => setting.ToString().Contains("secret", StringComparison.Ordinal));
        }

        Assert.Equal("", Load().Options!.Settings.Single(setting => setting.Name == "Security.Certificate.Password").Value);

        (string?, string) Find(string name) => settings.Where(setting => setting.Name == name).Select(setting => (setting.Value, setting.Source)).Single();
    }

    [Fact]
    public void Load_ThreeSources_TheLaterOneWins()
    {
        File.WriteAllText(Path.Combine(_folder, "settings.json"), """{"ServerUrl":"https://a:1","DataDir":"x","Log":{"Level":"Debug"},"RunInMemory":true}""");

        ServerOptions options = Load(
            new Hashtable { ["JACKDAW_SERVER_URL"] = "https://b:2", ["JACKDAW_WRITE_MODE"] = "IO_RING", ["jackdaw_DataDir"] = "y" },
            "--serverurl=https://c:3", "--Log.Format", "json").Options!;

        Assert.Equal("https://c:3", options.ServerUrl.ToString());
        Assert.Equal(PageWriteMode.IoRing, options.WriteMode);
        Assert.Equal(Path.Combine(_folder, "y"), options.DataDir);
        Assert.True(options.RunInMemory);
        Assert.Equal(Microsoft.Extensions.Logging.LogLevel.Debug, options.LogLevel);
        Assert.Equal(LogFormat.Json, options.LogFormat);
    }

    [Theory]
    [InlineData("--ServerUrl=abc", "ServerUrl = 'abc'", "http://127.0.0.1:8080")]
    [InlineData("--ServerUrl=ftp://a:1", "ServerUrl = 'ftp://a:1'", "https://")]
    [InlineData("--ServerUrl=http://a:99999", "ServerUrl", "http://")]
    [InlineData("--RunInMemory=maybe", "RunInMemory = 'maybe'", "true or false")]
    [InlineData("--NodeTag=a", "NodeTag = 'a'", "upper-case letters")]
    [InlineData("--NodeTag=ABCDE", "NodeTag = 'ABCDE'", "1 to 4")]
    [InlineData("--NodeTag=", "NodeTag", "1 to 4")]
    [InlineData("--NodeTag=TRXN", "NodeTag = 'TRXN'", "something else")]
    [InlineData("--WriteMode=fast", "WriteMode = 'fast'", "vectored_file_io")]
    [InlineData("--Log.Level=7", "Log.Level = '7'", "Warning")]
    [InlineData("--DataDir=", "DataDir", "folder")]
    [InlineData("--Telemetry.OtlpEndpoint=x", "OtlpEndpoint", "4317")]
    [InlineData("serve", "'serve'", "--help")]
    public void Load_WrongValue_IsOneLineThatSaysWhatToDo(string argument, string what, string instead)
    {
        ConfigurationResult result = Load(null, argument);

        Assert.Null(result.Options);
        Assert.Contains(what, result.Error, StringComparison.Ordinal);
        Assert.Contains(instead, result.Error, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', result.Error!);
    }

    [Fact]
    public void Load_DataDirThatIsAFileOrSettingsThatAreNotJson_IsAnError()
    {
        File.WriteAllText(Path.Combine(_folder, "taken"), "x");
        Assert.Contains("is a file", Load(null, "--DataDir=taken").Error, StringComparison.Ordinal);

        File.WriteAllText(Path.Combine(_folder, "settings.json"), "{ not json");
        string error = Load().Error!;
        Assert.Contains("settings.json", error, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error);
    }

    [Fact]
    public void Load_SettingsThatAreAFolder_IsAnError()
    {
        Directory.CreateDirectory(Path.Combine(_folder, "settings.json"));

        ConfigurationResult result = Load();

        Assert.Null(result.Options);
        Assert.Contains("settings.json is a folder", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--DataDirr=x", "did you mean 'DataDir'")]
    [InlineData("--Loglevl=x", "did you mean 'Log.Level'")]
    [InlineData("--License.Eula.Accepted=true", "'License.Eula.Accepted'")]
    [InlineData("--Setup.Mode=None", "Setup.Mode")]
    public void Load_UnknownKey_IsAWarningThatNamesTheNearest(string argument, string expected)
    {
        ConfigurationResult result = Load(null, argument);

        Assert.NotNull(result.Options);
        Assert.Contains(expected, Assert.Single(result.Warnings), StringComparison.Ordinal);
    }

    [Fact]
    public void Load_AllowedOrigins_ReadsAListOfOrigins() => Assert.Equal(
        ["https://app.example.com", "http://localhost:3000", "http://[::1]:5"],
        Load(null, "--Security.AllowedOrigins=https://App.example.com:443/, http://localhost:3000 ,http://[::1]:5,")
            .Options!.AllowedOrigins.Select(origin => origin.ToString().TrimEnd('/')));

    [Theory]
    [InlineData("null")]
    [InlineData("*")]
    [InlineData("app.example.com")]
    [InlineData("https://app.example.com/path")]
    [InlineData("https://user@app.example.com")]
    [InlineData("ftp://app.example.com")]
    [InlineData("https://app.example.com; https://b.example.com")]
    public void Load_AllowedOrigins_OfAnotherForm_IsAnError(string origins)
    {
        string error = Load(null, $"--Security.AllowedOrigins={origins}").Error!;

        Assert.Contains("Security.AllowedOrigins", error, StringComparison.Ordinal);
        Assert.Contains("https://app.example.com,http://localhost:3000", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://*:80", "*", 80)]
    [InlineData("http://0.0.0.0:0", "0.0.0.0", 0)]
    [InlineData("http://[::1]:5", "::1", 5)]
    [InlineData("http://localhost", "localhost", 80)]
    [InlineData("HTTP://db.example.com:8080/", "db.example.com", 8080)]
    [InlineData("https://db.example.com", "db.example.com", 443, true)]
    [InlineData("HTTPS://*:8443", "*", 8443, true)]
    public void Parse_ListenAddress_ReadsHostAndPort(string text, string host, int port, bool isSecured = false) =>
        Assert.Equal(new ListenAddress(host, port, isSecured), ListenAddress.Parse(text, out _));

    [Fact]
    public void Documentation_NamesEveryKeyWithItsDefault()
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Server.sln")))
        {
            folder = Path.GetDirectoryName(folder)!;
        }

        string page = File.ReadAllText(Path.Combine(folder, "docs", "operating", "configuration.md"));
        foreach (ConfigurationKey key in ConfigurationKeys.All)
        {
            string byDefault = key.Default.Length == 0 ? "none" : key.Default;
            Assert.Matches(new Regex($@"\| `{Regex.Escape(key.Name)}` \| `?{Regex.Escape(byDefault)}`? \|"), page);
        }
    }

    private ConfigurationResult Load(IDictionary? environment = null, params string[] arguments) =>
        new ConfigurationLoader(_folder, environment ?? new Hashtable(), arguments).Load();
}
