#include "math.hpp"

namespace pto::math {

namespace {

// The bits of 2/pi after the point.
constexpr uint32_t TWO_OVER_PI[] = {0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599,
                                    0x3C439041, 0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0};

int bit(int place) {  // place 1 is worth one half; places up to 0 lie before the point
    if (place < 1 || place > 320) return 0;
    return TWO_OVER_PI[(place - 1) / 32] >> (31 - (place - 1) % 32) & 1;
}

Reduction tabulate() {
    Reduction table = {};
    for (int field = 1; field < 255; ++field) {
        int shift = field - 150;  // the value of the significand's last bit is 2^shift
        double* parts[] = {&table.high[field], &table.middle[field], &table.low[field]};
        int place = shift - 1;  // the place that counts 2 after the shift: multiples of 4 do not matter
        if (place < 1) place = 1;
        while (!bit(place)) ++place;
        for (int part = 0; part < 3; ++part)
            for (int taken = part < 2 ? 28 : 53; taken > 0; --taken, ++place)
                if (bit(place)) *parts[part] += std::ldexp(1.0, shift - place);
    }
    return table;
}

}  // namespace

const Reduction REDUCTION = tabulate();

}  // namespace pto::math
