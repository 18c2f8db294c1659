// The sine and cosine of (high + low / 2^32) / 2^32 turns. Depends on lanes.cl.
//   OF(name): the type or function of the current number of lanes

void OF(circle)(const UINT low, const UINT high, DOUBLE* const sine, DOUBLE* const cosine) {
  const UINT quarter = (high + 0x20000000u) >> 30;
  const DOUBLE x =
      (OF(convert_double)(OF(as_int)(high - (quarter << 30))) + OF(convert_double)(low) * 0x1p-32) * 0x1p-29;
  const DOUBLE z = x * x;
  const DOUBLE s =
      x *
      (0.7853981633974483071 +
       z * (-0.08074551218828053947 +
            z * (0.002490394570188843848 +
                 z * (-3.657620415891387493e-5 +
                      z * (3.133616225433416221e-7 + z * (-1.757150074698393409e-9 + z * 6.877360573166325625e-12))))));
  const DOUBLE c = 1 + z * (-0.3084251375340424567 +
                            z * (0.01585434424381548895 +
                                 z * (-0.0003259918869271995706 +
                                      z * (3.590860447448611792e-6 +
                                           z * (-2.461136623830974229e-8 +
                                                z * (1.150067970094049586e-10 + z * -3.863156948832655951e-13))))));
  const ULONG turned = OF(convert_ulong)(quarter) << 63;
  const ULONG signs = OF(convert_ulong)(quarter & 2) << 62;
  const DOUBLE first = OF(as_long)(turned) < 0 ? c : s;
  const DOUBLE second = OF(as_long)(turned) < 0 ? s : c;
  *sine = OF(as_double)(OF(as_ulong)(first) ^ signs);
  *cosine = OF(as_double)(OF(as_ulong)(second) ^ signs ^ turned);
}
