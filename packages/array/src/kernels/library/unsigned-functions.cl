// Functions of integers without a sign. Separated by empty lines; functionsOf takes them apart.
//   T: the type

T magnitude_T(const T a) { return a; }

T remainder_T(const T a, const T b) { return b == 0 ? 0 : a % b; }

T fmod_T(const T a, const T b) { return b == 0 ? 0 : a % b; }

T floor_divide_T(const T a, const T b) { return b == 0 ? 0 : a / b; }
