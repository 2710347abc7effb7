/* receiver_wire.h - what goes over the receiver's socket: the token one way, one byte with two descriptors (the ring, the notes)
 * the other. Private to receiver*.c. */
#ifndef RL_COLLECTOR_RECEIVER_WIRE_H
#define RL_COLLECTOR_RECEIVER_WIRE_H

enum { RL_WIRE_TOKEN = 32 }; /* hexadecimal digits */

#endif
