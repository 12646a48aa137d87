using System.Reflection;
using System.Runtime.InteropServices;

namespace Jackdaw.Pal.Interop;

/// <summary>Finds libpal, the only native library: beside this assembly and nowhere else.</summary>
/// <remarks>It is in <c>runtimes/platform/native</c>. When a program was built for one platform, it is in the folder of the assembly itself,
/// because such a build puts the native libraries of packages there. Can be called on any thread. The runtime asks once and remembers the
/// answer.</remarks>
internal static class NativeLibraries
{
    internal const string Pal = "pal";

    // Compared with PAL_ABI_VERSION of the loaded library: a stale one must fail at the start, not corrupt arguments.
    private const int AbiVersion = 6;

    static NativeLibraries()
    {
        NativeLibrary.SetDllImportResolver(typeof(NativeLibraries).Assembly, Resolve);
    }

    /// <summary>Called by the static constructor of each class with imports, so that the resolver is registered
    /// first.</summary>
    internal static void EnsureResolver()
    {
    }

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? searchPath)
    {
        return name == Pal ? LoadPal() : 0;
    }

    private static unsafe nint LoadPal()
    {
        string path = PalPath();
        if (!NativeLibrary.TryLoad(path, out nint library))
        {
            string reason = File.Exists(path) ? "cannot be loaded (wrong platform or C library?)" : "is missing";
            throw new DllNotFoundException($"The platform library '{path}' {reason}. It is built by native/build.sh "
                + "and belongs beside the server's assemblies: build or install again.");
        }

        int found = ((delegate* unmanaged<int>)NativeLibrary.GetExport(library, "pal_abi_version"))();
        if (found != AbiVersion)
        {
            throw new DllNotFoundException($"The platform library '{path}' has ABI version {found}, this server needs "
                + $"{AbiVersion}: build or install both together.");
        }

        return library;
    }

    private static string PalPath()
    {
        string os = OperatingSystem.IsWindows() ? "win" : OperatingSystem.IsMacOS() ? "osx" : "linux";
        string architecture = RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? "arm64" : "x64";
        string file = OperatingSystem.IsWindows() ? "pal.dll"
            : OperatingSystem.IsMacOS() ? "libpal.dylib" : "libpal.so";
        string beside = Path.GetDirectoryName(typeof(NativeLibraries).Assembly.Location) is { Length: > 0 } folder
            ? folder
            : AppContext.BaseDirectory;
        string ofPlatform = Path.Combine(beside, "runtimes", $"{os}-{architecture}", "native", file);
        string ofProgram = Path.Combine(beside, file);
        return !File.Exists(ofPlatform) && File.Exists(ofProgram) ? ofProgram : ofPlatform;
    }
}
