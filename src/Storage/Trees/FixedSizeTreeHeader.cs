using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Trees;

/// <summary>Headers of fixed-entry trees.</summary>
public static class FixedSizeTreeHeader
{
    /// <summary>Header of a tree without entries.</summary>
    /// <param name="ownerTag">Hash of the owner's name; every page of the tree carries it.</param>
    public static TreeHeader CreateEmpty<TKey, TValue>(uint ownerTag)
        where TKey : unmanaged
        where TValue : unmanaged => new()
        {
            Kind = TreeKind.FixedSize,
            KeySize = (ushort)Unsafe.SizeOf<TKey>(),
            ValueSize = (ushort)Unsafe.SizeOf<TValue>(),
            OwnerTag = ownerTag,
        };
}
