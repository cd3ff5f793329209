#include "variant.h"
STEP {
  IN("solve", work(me==CULPRIT?USUAL+MORE:USUAL));
  OPERATION; /* waits */
}
