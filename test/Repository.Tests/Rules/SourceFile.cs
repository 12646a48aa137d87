namespace Jackdaw.Repository.Tests.Rules;

/// <summary>One committed text file: its path from the root of the repository with forward slashes, and its
/// text.</summary>
public sealed class SourceFile
{
    private readonly Lazy<CSharpText> _parts;
    private readonly Lazy<CSharpOutline> _outline;

    public SourceFile(string path, string text)
    {
        Path = path;
        Text = text;
        Lines = text.Split('\n');
        _parts = new Lazy<CSharpText>(() => CSharpText.Split(Text));
        _outline = new Lazy<CSharpOutline>(() => CSharpOutline.Read(_parts.Value.Code));
    }

    public string Path { get; }

    public string Text { get; }

    public IReadOnlyList<string> Lines { get; }

    /// <summary>Lines as an editor counts them: the newline at the end of the file starts no new one.</summary>
    public int LineCount => Text.EndsWith('\n') ? Lines.Count - 1 : Lines.Count;

    public bool IsCSharp => Path.EndsWith(".cs", StringComparison.Ordinal);

    /// <summary>The text with everything but code blanked out. Meaningful for C# only.</summary>
    public string Code => _parts.Value.Code;

    /// <summary>The text with everything but comments blanked out. Meaningful for C# only.</summary>
    public string Comments => _parts.Value.Comments;

    public CSharpOutline Outline => _outline.Value;

    public bool IsUnder(string folder) => Path.StartsWith(folder.TrimEnd('/') + "/", StringComparison.Ordinal);
}
