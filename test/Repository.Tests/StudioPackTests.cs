using Jackdaw.Studio.Pack;

namespace Jackdaw.Repository.Tests;

/// <summary>The program that packs the Studio: it refuses what browsers could not load, and a changed file changes the path of all.</summary>
public sealed class StudioPackTests : IDisposable
{
    private const string Page = """
        <script type="importmap">{ "imports": { "lib": "{{base}}lib/lib.mjs" } }</script>
        <!-- preload: main.js -->
        <script type="module" src="{{base}}main.js"></script>
        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("jackdaw-studio-");

    public StudioPackTests()
    {
        Write("index.html", Page);
        Write("main.js", "import { a } from './core/a.js';\nimport 'lib';\nconst later = () => import('./views/late.js');\n");
        Write("studio.css", "");
        Write("icon.svg", "<svg/>");
        Write("core/a.js", "export * from './b.js';\n");
        Write("core/b.js", "export const a = 1;\n");
        Write("views/late.js", "import { a } from '../core/a.js';\n");
        Write("lib/lib.mjs", "export{a}from\"./part.mjs\";");
        Write("lib/part.mjs", "export const a=1;");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Page_LoadsWhatTheFirstModulesImport_AndNothingThatComesLater()
    {
        string page = PagePlaces.Fill(Site.Read(_folder.FullName), "/x/");
        string[] loaded = [.. page.Split('\n').Where(line => line.Contains("modulepreload", StringComparison.Ordinal)).Select(line => line.Split('"')[3])];
        Assert.Equal(["/x/main.js", "/x/core/a.js", "/x/lib/lib.mjs", "/x/core/b.js", "/x/lib/part.mjs"], loaded);
        Assert.Contains("\"lib\": \"/x/lib/lib.mjs\"", page, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("core/a.js", "import './gone.js';\n")]
    [InlineData("views/late.js", "import 'unknown';\n")]
    [InlineData("main.js", "const later = () => import('./views/gone.js');\n")]
    [InlineData("index.html", "<p>no map</p>")]
    [InlineData("index.html", """<script type="importmap">{ "imports": { "lib": "{{base}}lib/gone.mjs" } }</script>""")]
    public void Import_OfAFileThatIsNotThere_IsRefused(string file, string text)
    {
        Write(file, text);
        Assert.Throws<SiteException>(() => PagePlaces.Fill(Site.Read(_folder.FullName), "/x/"));
    }

    [Theory]
    [InlineData("main.js")]
    [InlineData("studio.css")]
    [InlineData("lib/part.mjs")]
    [InlineData("index.html")]
    public void File_ThatChanges_ChangesTheHash(string file)
    {
        string before = Site.Read(_folder.FullName).Hash;
        Write(file, File.ReadAllText(Path.Combine(_folder.FullName, file)) + " ");
        Assert.NotEqual(before, Site.Read(_folder.FullName).Hash);
    }

    private void Write(string file, string text)
    {
        string path = Path.Combine(_folder.FullName, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }
}
