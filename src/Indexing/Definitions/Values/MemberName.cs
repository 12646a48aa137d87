using System.Text;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>Something with members that are read by name.</summary>
/// <remarks>The compiler's extension property for a member that is named as the type <see cref="Value"/> stands over this
/// interface: C# allows no extension member with the name of the type that it extends.</remarks>
public interface IMemberHolder
{
    Value ReadMember(MemberName name);
}

/// <summary>A member's name as UTF-8, made once for each place in a definition that reads it.</summary>
public sealed class MemberName
{
    private readonly byte[] _utf8;

    private MemberName(string text)
    {
        Text = text;
        _utf8 = Encoding.UTF8.GetBytes(text);
    }

    internal string Text { get; }

    internal ReadOnlySpan<byte> Utf8 => _utf8;

    public static MemberName Of(string text) => new(text);
}
