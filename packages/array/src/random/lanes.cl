// Types of functions that are defined for one number and, in vectors, for several: by macros that use the definition of
// OF(name) at the time.
//   OF(name): the type or function of the current number of lanes

#define FLOAT OF(float)
#define DOUBLE OF(double)
#define INT OF(int)
#define UINT OF(uint)
#define ULONG OF(ulong)
