using Jint.Native;
using Jint.Runtime.Descriptors;

namespace Jackdaw.Scripting;

/// <summary>The metadata that the server keeps of a document, as members of an object of JavaScript.</summary>
internal static class ScriptMetadata
{
    /// <summary>Adds what answers show. It hides what is stored under the same name.</summary>
    public static void AddShown(JsObject target, ScriptDocument document)
    {
        foreach ((string name, string? text) in Shown(document))
        {
            if (text is not null)
            {
                target.FastSetDataProperty(name, new JsString(text));
            }
        }

        AddHidden(target, "@etag", document.Etag is { } etag ? JsNumber.Create(etag) : null);
        AddHidden(target, "@collection", document.Id is null ? null : new JsString("@empty"));
    }

    /// <summary>Adds what is not there so that only who names a member finds it: neither answers nor patched documents get it.</summary>
    public static void AddHidden(JsObject target, ScriptDocument document)
    {
        foreach ((string name, string? text) in Shown(document))
        {
            AddHidden(target, name, text is null ? null : new JsString(text));
        }

        AddHidden(target, "@etag", document.Etag is { } etag ? JsNumber.Create(etag) : null);
    }

    /// <summary>Adds metadata to a document that stores none.</summary>
    public static void AddHidden(JsObject whole, ScriptDocument document, JsObject metadata)
    {
        AddHidden(metadata, document);
        AddHidden(whole, "@metadata", metadata);
    }

    private static (string Name, string? Text)[] Shown(ScriptDocument document) =>
    [
        ("@id", document.Id),
        ("@change-vector", document.ChangeVector),
        ("@last-modified", document.LastModified is { } date ? ScriptOutput.Format(date) : null),
        ("@flags", document.Flags),
    ];

    private static void AddHidden(JsObject target, string name, JsValue? value)
    {
        if (value is not null && !target.HasOwnProperty(name))
        {
            target.FastSetProperty(name, new PropertyDescriptor(value, writable: true, enumerable: false, configurable: true));
        }
    }
}
