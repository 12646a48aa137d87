// Leak checks count the memory and the threads of the whole process: one test at a time.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
