// ompc_of_thread.h: an object for each thread that asks for it, which ends with the thread.
//
// A thread_local object with a destructor keeps the library in which it is loaded as long as the thread runs: dlclose would do
// nothing, and the next dlopen find the library's variables as they were left.

#ifndef OMPC_OF_THREAD_H
#define OMPC_OF_THREAD_H

#include <pthread.h>

namespace ompc {

template <class T>
class OfThread {
public:
    static T &get()
    {
        if (object_ == nullptr) {
            static const Key key;
            object_ = new T;
            static_cast<void>(pthread_setspecific(key.number, object_));
        }
        return *object_;
    }

private:
    struct Key {
        pthread_key_t number{};
        Key() { static_cast<void>(pthread_key_create(&number, end)); }
        Key(const Key &) = delete;
        Key &operator=(const Key &) = delete;
        ~Key() { static_cast<void>(pthread_key_delete(number)); } // threads that end later leave theirs behind
    };
    static void end(void *object)
    {
        object_ = nullptr; // launches may follow
        delete static_cast<T *>(object);
    }

    inline static thread_local T *object_ = nullptr;
};

} // namespace ompc

#endif
