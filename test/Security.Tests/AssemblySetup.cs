using System.Runtime.Versioning;

// Tests of file modes use those of Linux.
[assembly: SupportedOSPlatform("linux")]
