using System.Runtime.Versioning;

// Leak checks count the memory and the threads of the whole process: one test at a time.
[assembly: CollectionBehavior(DisableTestParallelization = true)]

// Threads are found by name in /proc: elsewhere the check fails instead of seeing none.
[assembly: SupportedOSPlatform("linux")]
