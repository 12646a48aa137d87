using System.Runtime.InteropServices;
using System.Text;

namespace Jackdaw.Pal.Interop;

/// <summary>Turns the error struct of libpal into the one exception of this layer.</summary>
internal static unsafe class PalFailure
{
    // The longest text of the C library is much shorter; a longer one would only be cut.
    private const int TextBytesMax = 256;

    internal static void ThrowIf(int status, in NativeError error, string path)
    {
        if (status != 0)
        {
            throw Create(error, path, "");
        }
    }

    internal static PalException Create(in NativeError error, string path, string addition)
    {
        return new PalException((PalStatus)error.Code, OperationName(error.Operation), path, error.OsErrno,
            ErrorText(error.OsErrno) + addition, error.Offset, error.Length);
    }

    /// <summary>A refusal by this layer, not by the system: the caller broke the contract.</summary>
    internal static PalException Refuse(
        string operation, string path, string reason, long offset = -1, long length = -1)
    {
        return new PalException(PalStatus.InvalidArgument, operation, path, 0, reason, offset, length);
    }

    internal static string OperationName(int operation)
    {
        return Marshal.PtrToStringUTF8((nint)LibPal.pal_op_name(operation)) ?? "unknown";
    }

    internal static string ErrorText(int osErrno)
    {
        byte* buffer = stackalloc byte[TextBytesMax];
        LibPal.pal_error_text(osErrno, buffer, TextBytesMax);
        return Encoding.UTF8.GetString(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(buffer));
    }
}
