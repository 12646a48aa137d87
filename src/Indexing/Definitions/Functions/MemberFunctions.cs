using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>Reads members as a type. A separate class, because a method with the name of the type would hide the type.</summary>
public static class MemberFunctions
{
    /// <summary><c>LoadAttachment(o, "notes.txt").GetContentAsString()</c>; null without an attachment.</summary>
    public static Value GetContentAsString(this Value value) =>
        value.Identity.Holder is AttachmentValue attachment ? attachment.Content() : Values.Value.Null;

    /// <summary><c>MetadataFor(o).Value&lt;DateTime&gt;("@last-modified")</c>.</summary>
    public static T Value<T>(this Value value, string name) => ConvertFunctions.As<T>(value.Member(name));
}
