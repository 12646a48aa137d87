using System.Diagnostics;
using System.Text;
using Jackdaw.Json.Tape;
using Jint.Native;

namespace Jackdaw.Scripting;

/// <summary>Layouts of the objects in documents, by the names of their members: documents of a collection share a layout.</summary>
/// <remarks>They belong to one engine. An object with a layout reads a member from the tape when the member is first used.</remarks>
internal sealed class ObjectLayouts
{
    /// <summary>Members of the largest object that has a layout. Objects that are used as dictionaries are larger, and each has its own
    /// names.</summary>
    public const int MembersMax = 64;

    /// <summary>Largest number of layouts, with at most 10 KB each. When it is reached, all are forgotten: a database has some tens of layouts,
    /// unless its objects are dictionaries.</summary>
    private const int LayoutsMax = 512;

    private readonly Dictionary<int, Entry> _entries = [];

    /// <summary>Whether a layout can have all of these names. A name that is empty or begins with a digit is not possible.</summary>
    public static bool CanHold(TapeValue value)
    {
        foreach (TapeMember member in value.Members)
        {
            if (member.NameSource is [] or [>= (byte)'0' and <= (byte)'9' or (byte)'\\', ..])
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The layout of an object with at most <see cref="MembersMax"/> members.</summary>
    public JsObjectLayout Find(TapeValue value)
    {
        Debug.Assert(value.Count is > 0 and <= MembersMax);
        int hash = Hash(value);
        if (_entries.TryGetValue(hash, out Entry? entry) && entry.Fits(value))
        {
            return entry.Layout;
        }

        if (_entries.Count >= LayoutsMax)
        {
            _entries.Clear();
        }

        entry = new Entry(value);
        _entries[hash] = entry;
        return entry.Layout;
    }

    private static int Hash(TapeValue value)
    {
        var hash = new HashCode();
        foreach (TapeMember member in value.Members)
        {
            hash.AddBytes(member.NameSource);
            hash.Add(0);
        }

        return hash.ToHashCode();
    }

    private sealed class Entry
    {
        private readonly byte[][] _names;

        public Entry(TapeValue value)
        {
            var names = new List<byte[]>(value.Count);
            JsObjectLayout.Builder builder = JsObjectLayout.CreateBuilder();
            foreach (TapeMember member in value.Members)
            {
                int ordinal = names.Count;
                names.Add(member.NameSource.ToArray());
                builder.AddLazy(NameOf(member), (owner, state) => ((TapeObject)state!).Read(ordinal));
            }

            _names = [.. names];
            Layout = builder.Build();
        }

        public JsObjectLayout Layout { get; }

        public bool Fits(TapeValue value)
        {
            if (value.Count != _names.Length)
            {
                return false;
            }

            int at = 0;
            foreach (TapeMember member in value.Members)
            {
                if (!member.NameSource.SequenceEqual(_names[at++]))
                {
                    return false;
                }
            }

            return true;
        }
    }

    /// <summary>A member's name, without escapes.</summary>
    public static string NameOf(TapeMember member)
    {
        if (!member.NameHasEscapes)
        {
            return Encoding.UTF8.GetString(member.NameSource);
        }

        byte[] name = new byte[member.NameSource.Length];
        return Encoding.UTF8.GetString(name.AsSpan(0, member.CopyName(name)));
    }
}
